// The views in the order of the navigation. A view is shown where the report has what it needs.

import type { View } from "../page";

export const views: readonly View[] = [];
