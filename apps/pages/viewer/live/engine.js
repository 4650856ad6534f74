// The engine in this page: the module of apps/live, which the page contains as gzip in base64. The run of the page has an
// instance of the engine, and so has the run that is trained here. Both translate the typed sentence.

const live = {
  bytes: null,     // the module, for the worker that trains
  compiled: null,  // the same module, compiled
  engines: [],     // one per run of the page; null for a run of which the page has only records
  own: null,       // index of the typed sentence in page.sentences
  bases: [],       // one per run: the record of the greedy translation of the typed sentence
  changed: null,   // the record after the last change of the attention
  trained: null,   // index in page.runs of the run that was trained here
};
const beamWidth = 5;

async function unpackedBytes(id) {
  const text = document.getElementById(id)?.textContent.trim();
  if (!text) throw new Error(`its part ${id} is missing`);
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Puts the data of the page where page.js reads them. This runs before the code of the other files. Returns false, and
// shows a message, if the page lacks them or the browser cannot unpack them.
async function unpackData() {
  try {
    document.getElementById("data").textContent = new TextDecoder().decode(await unpackedBytes("live-data"));
    return true;
  } catch (error) {
    document.getElementById("main").textContent = `The records of this page cannot be read: ${error.message ?? error}. ` +
      "Write the page again with view --live, and open it in a browser of 2023 or later.";
    document.documentElement.dataset.live = "failed";
    return false;
  }
}

// Returns the files of a part of the page (live_parts.h): [name, bytes] each.
function filesOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const files = [];
  for (let at = 0; at < bytes.length;) {
    const take = () => {
      const size = view.getUint32(at, true);
      const part = bytes.subarray(at + 4, at + 4 + size);
      at += 4 + size;
      return part;
    };
    files.push([new TextDecoder().decode(take()), take()]);
  }
  return files;
}

// Returns the text as the engine can read it: one line of valid Unicode. A lone surrogate becomes U+FFFD.
const oneLine = (text) => text.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[\0-\x1f\x7f\u2028\u2029]+/g, " ");

// Calls a function of apps/live/live.h. Throws an Error with the engine's message.
function callEngine(engine, name, ...values) {
  const types = values.map((value) => (typeof value === "string" ? "string" : "number"));
  const answer = JSON.parse(engine.ccall(`softalign_${name}`, "string", types, values));
  if (answer?.error) throw new Error(answer.error);
  return answer;
}

// Returns an instance that has opened the run of these files. Its `info` is the result of softalign_open.
async function openEngine(files) {
  live.compiled ??= await WebAssembly.compile(live.bytes);
  const engine = await new Promise((done, failed) => {
    const instantiateWasm = (imports, use) => {
      WebAssembly.instantiate(live.compiled, imports).then((instance) => use(instance, live.compiled), failed);
      return {};
    };
    Softalign({ instantiateWasm, print: () => {}, printErr: () => {} }).then(done, failed);
  });
  engine.FS.mkdir("/run");
  for (const [name, bytes] of files) engine.FS.writeFile(`/run/${name}`, bytes);
  engine.info = callEngine(engine, "open", "/run");
  return engine;
}

// Returns the record of the greedy translation in which step t attends with these weights.
function reweight(engine, text, t, weights) {
  const address = engine._malloc(4 * weights.length);
  engine.HEAPF32.set(weights, address >> 2);
  try {
    return callEngine(engine, "reweight", text, t, address, weights.length);
  } finally {
    engine._free(address);
  }
}
