// The views in the order of the navigation. A view is shown where the report has what it needs.

import type { View } from "../page";
import { analyses } from "./analyses";
import { meta } from "./meta";
import { segments } from "./segments/index";
import { systems } from "./systems/index";
import { tune } from "./tune";
import { why } from "./why";

export const views: readonly View[] = [systems, segments, why, analyses, meta, tune];
