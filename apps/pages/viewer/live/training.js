// Training in the page. A worker trains a small model on the pairs that the page contains. The model becomes a run of the
// page, with learning curves and with the typed sentence after each epoch.

// The script of the worker. It gets the module, the files to train from and a sentence. It posts {metrics, record, files}
// after each epoch, the progress ten times a second, and {end, files} or {error} at the end.
const workerScript = () => `${byId("live-glue").textContent}
${callEngine}
onmessage = async ({ data: { bytes, files, sentence } }) => {
  try {
    const engine = await Softalign({ wasmBinary: bytes, print: () => {}, printErr: () => {} });
    for (const folder of ["/run", "/corpus"]) engine.FS.mkdir(folder);
    for (const [name, content] of files) engine.FS.writeFile("/" + name, content);
    const notOfModel = new Set([".", "..", ".lock", "last.safetensors", "timing.jsonl"]);
    const run = () => engine.FS.readdir("/run").filter((name) => !notOfModel.has(name)).map((name) => [name, engine.FS.readFile("/run/" + name)]);
    const begin = performance.now();
    let next = begin;
    const progress = engine.addFunction((text) => {
      const line = JSON.parse(engine.UTF8ToString(text));
      const now = performance.now();
      if (line.metrics) postMessage({ ...line, files: run() });
      else if (now >= next) postMessage({ ...line, seconds: (now - begin) / 1000 }), (next = now + 100);
      return 1;
    }, "ii");
    postMessage({ end: callEngine(engine, "train", "/run", 0, sentence, progress), files: run() });
  } catch (error) {
    postMessage({ error: String(error?.message ?? error) });
  }
};`;

const training = {
  worker: null,   // the worker while it trains, "starting" before and "ending" after
  files: null,    // the run folder after the last epoch: [name, bytes] each
  sentence: "",   // translated after each epoch
  epochs: [],     // its records
  most: 0,        // how many epochs the training has
};

const followsTyped = () => training.sentence === oneLine(state.typed);

// Adds the run that the training makes, without records at first. A second training replaces the run of the first.
function addTrainedRun(config, pairs) {
  live.trained ??= page.runs.length;
  const m = live.trained;
  page.runs[m] = { name: "trained here", about: `a small ${config.model} model, trained in this page on ${pairs.toLocaleString("en")} sentence pairs`,
    kept_epoch: null, metrics: [] };
  epochsOf[m] = [];
  live.engines[m] = null;
  live.bases[m] = null;
  page.sentences[live.own].runs[m] = null;
  leaveTrainedRun();
  listRuns();
}

function leaveTrainedRun() {
  if (state.run === live.trained || state.other === live.trained) Object.assign(state, { run: 0, other: null, epoch: null, alternative: null });
}

function removeTrainedRun() {
  leaveTrainedRun();
  page.runs.pop();
  epochsOf.pop();
  page.sentences[live.own].runs.length = page.runs.length;
  live.trained = null;
  listRuns();
}

async function train() {
  if (training.worker) return;
  training.worker = "starting";
  byId("live-train").disabled = true;
  try {
    const files = filesOf(await unpackedBytes("live-lesson"));
    const textOfFile = (wanted) => new TextDecoder().decode(files.find(([name]) => name === wanted)[1]);
    const config = JSON.parse(textOfFile("run/config.json"));
    Object.assign(training, { files: null, epochs: [], most: config.epochs, sentence: oneLine(state.typed) });
    addTrainedRun(config, textOfFile("corpus/train.tsv").trim().split("\n").length);
    draw();
    const url = URL.createObjectURL(new Blob([workerScript()], { type: "text/javascript" }));
    training.worker = new Worker(url);
    URL.revokeObjectURL(url);
    training.worker.onmessage = ({ data }) => receive(data);
    training.worker.onerror = (event) => endTraining(`The training failed: ${event.message}`);
    training.worker.postMessage({ bytes: live.bytes, files, sentence: training.sentence });
    document.documentElement.dataset.training = "running";
    byId("live-progress").value = 0;
    showTraining("The training starts.", { running: true });
  } catch (error) {
    endTraining(`The training failed: ${error.message}`);
  }
}

function showTraining(text, { running = false, trained = false } = {}) {
  byId("live-status").textContent = text;
  byId("live-training").hidden = false;
  byId("live-download").hidden = !trained;
  for (const id of ["live-stop", "live-progress"]) byId(id).hidden = !running;
}

function receive(message) {
  if (message.error) return endTraining(`The training failed: ${message.error}`);
  if (message.metrics) return receiveEpoch(message);
  if (message.end) {
    training.files = message.files;
    return endTraining(`Trained ${message.end.steps.toLocaleString("en")} steps in ${message.end.seconds.toFixed(1)} s.`);
  }
  const { epoch, done, loss, step, seconds } = message;
  byId("live-progress").value = (epoch - 1 + done) / training.most;
  byId("live-status").textContent = `Epoch ${epoch} of ${training.most}: training loss ${loss.toFixed(2)}, ${(step / seconds).toFixed(0)} steps/s`;
}

// Adds a point to each learning curve, and the translation of the sentence by the model of this epoch.
function receiveEpoch({ metrics, record, files }) {
  const m = live.trained;
  const run = page.runs[m];
  training.files = files;
  run.metrics.push({ epoch: metrics.epoch, loss: metrics.valid.loss, bleu: metrics.valid.bleu, aer: metrics.valid.alignment?.aer ?? null });
  epochsOf[m].push(metrics.epoch);
  if (metrics.best) run.kept_epoch = metrics.epoch;
  if (record) training.epochs.push({ ...record, epoch: metrics.epoch });
  if (record && followsTyped()) {
    const { epoch, ...kept } = training.epochs.find((each) => each.epoch === run.kept_epoch) ?? training.epochs.at(-1);
    const first = firstRecord(live.own);
    page.sentences[live.own].runs[m] = {
      record: comparedWith(first, kept), epochs: training.epochs.map((each) => comparedWith(first, each)), beam: [], interventions: [],
    };
    // The first epoch comes into view if nothing else is being looked at; the later ones follow.
    const follow = training.epochs.length === 1 ? isOwn() && state.alternative == null : state.run === m && state.epoch != null;
    if (follow) Object.assign(state, { run: m, other: null, epoch: metrics.epoch, alternative: null, step: null, column: null });
  }
  drawAll();
}

async function endTraining(text) {
  training.worker?.terminate?.();
  training.worker = "ending";
  const m = live.trained;
  let [message, trained] = [text, false];
  if (training.files && page.runs[m].kept_epoch != null) {
    try {
      live.engines[m] = await openEngine(training.files);
      trained = true;
      if (state.run === m) state.epoch = null;
      showTyped();
    } catch (error) {
      message += ` The trained model cannot be opened: ${error.message}`;
    }
  } else if (m != null) {
    removeTrainedRun();
  }
  training.worker = null;
  byId("live-train").disabled = false;
  showTraining(message, { trained });
  drawAll();
  document.documentElement.dataset.training = "ended";
}

function stopTraining() {
  if (!training.worker?.terminate) return;
  const epochs = epochsOf[live.trained].length;
  endTraining(epochs > 0 ? `Stopped after ${epochs} of ${training.most} epochs.` : "Stopped before the end of the first epoch, so there is no model.");
}

const downloadRun = () => download("trained.zip", zipped(training.files.map(([name, bytes]) => [`trained/${name}`, bytes])));
