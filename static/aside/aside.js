// What the app does not need to begin with: the page in another page's frame, at once; the page without a network, later.

import { begin as embed, embedded } from "./embed.js";
import { begin as keep } from "./offline.js";

if (embedded()) embed();
else keep();
