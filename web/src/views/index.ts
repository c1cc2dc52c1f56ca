// The views in the order of the navigation. A view is shown where the report has what it needs.

import type { View } from "../page";
import { systems } from "./systems/index";

export const views: readonly View[] = [systems];
