// The browser checks of the viewer and of the report:  node tests/viewer/check.mjs FOLDER
// test_viewer.py makes the folder's pages and runs this.
import { after } from "node:test";
import { closeBrowser } from "./browser.mjs";

await import("./check_values.mjs");
await import("./check_first_minutes.mjs");
await import("./check_lecture.mjs");
await import("./check_use.mjs");
await import("./check_list.mjs");
await import("./check_alternatives.mjs");
await import("./check_figures.mjs");
await import("./check_heads.mjs");
await import("./check_pictures.mjs");
await import("./check_stories.mjs");
await import("./check_screens.mjs");
await import("./check_accessibility.mjs");
await import("./check_safety.mjs");
await import("./check_appearance.mjs");
await import("./check_report.mjs");
await import("./check_report_appearance.mjs");
after(closeBrowser);
