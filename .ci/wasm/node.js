// Linked into each module. In Node 18 and later, emscripten 3.1.6 would fetch its .wasm file like a browser, which fails.
if (typeof process === "object" && !Module["wasmBinary"]) {
  Module["wasmBinary"] = require("fs").readFileSync(__filename.replace(/\.js$/, ".wasm"));
}
