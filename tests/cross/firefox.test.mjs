import { launch } from "./lib/firefox.mjs";
import { journeys } from "./lib/journeys.mjs";

journeys(launch);
