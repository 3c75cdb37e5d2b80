import { launch } from "./lib/webkit.mjs";
import { journeys } from "./lib/journeys.mjs";

journeys(launch);
