// The views in the order of the navigation. A view is shown where the report has what it needs.

import type { View } from "../page";
import { segments } from "./segments/index";
import { systems } from "./systems/index";

export const views: readonly View[] = [systems, segments];
