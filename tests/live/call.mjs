// node call.mjs MODULE: calls the engine as a page does. Each line of standard input is a call, [NAME, ARGUMENTS...] in
// JSON. Each line of standard output is its result. A name is that of a function of apps/live/live.h without
// "softalign_"; reweight takes a list of weights. copy_in and copy_out move files between the disk and the module's memory
// file system.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";
import { createRequire } from "node:module";

const engine = await createRequire(import.meta.url)(path.resolve(process.argv[2]))();

function call(name, ...values) {
  const types = values.map((value) => (typeof value === "string" ? "string" : "number"));
  return JSON.parse(engine.ccall(`softalign_${name}`, "string", types, values));
}

const calls = {
  copy_in(from, to) {
    engine.FS.mkdirTree(path.dirname(to));
    engine.FS.writeFile(to, fs.readFileSync(from));
    return { bytes: engine.FS.stat(to).size };
  },
  copy_out(from, to) {
    fs.writeFileSync(to, engine.FS.readFile(from));
    return {};
  },
  reweight(sentence, step, weights) {
    const place = engine._malloc(4 * Math.max(1, weights.length));
    engine.HEAPF32.set(weights, place >> 2);
    const result = call("reweight", sentence, step, place, weights.length);
    engine._free(place);
    return result;
  },
  train(folder, epochs, most, sentence = "") {
    const lines = [];
    const progress = engine.addFunction((text) => {
      lines.push(JSON.parse(engine.UTF8ToString(text)));
      return lines.length === most ? 0 : 1;
    }, "ii");
    const result = call("train", folder, epochs, sentence, progress);
    engine.removeFunction(progress);
    return { ...result, lines };
  },
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const [name, ...values] = JSON.parse(line);
  const result = calls[name] ? calls[name](...values) : call(name, ...values);
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
