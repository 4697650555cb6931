/**
 * analyst: an agent that takes a file, streams while it works, and produces artifacts.
 *
 * Demonstrates: reading a file part or pasted text; status updates; a Markdown artifact that is appended piece by
 * piece, so that callers see its progress; a table and a chart as data parts, with a display hint; a report to
 * download; work that can be canceled at any moment. Every number is computed from the input, in small pure files: csv,
 * numbers, statistics, profile, chart, report.
 *
 * `npm start` bundles and runs it as part of the demo. By hand, with the credentials of your developer app:
 *
 *   npx esbuild examples/agents/analyst/main.ts --bundle --platform=node --format=esm --packages=external \
 *     --outfile=dist/agents/analyst.mjs
 *   PORT=4002 PUBLIC_URL=http://localhost:4002 PARLEY_URL=http://localhost:3000 \
 *     PARLEY_CLIENT_ID=… PARLEY_CLIENT_SECRET=… node dist/agents/analyst.mjs
 */
import { setImmediate as pause, setTimeout as sleep } from 'node:timers/promises';
import { dataPart, filePart, textPart } from '../shared/parts';
import { runAgent } from '../shared/serve';
import type { Turn } from '../shared/turn';
import { analystCard } from './card';
import { chooseChart } from './chart';
import { type Csv, CsvError, parseCsv } from './csv';
import { findCsv } from './find-csv';
import { formatNumber } from './numbers';
import { cutIntoPieces, pieceCount } from './pieces';
import { type Profile, profileTable, type ReadColumn } from './profile';
import { describeColumns, describeFindings, describeOverview, summaryTable, writeReport } from './report';

/** Approximate time over which a text is streamed, so that users can read along. */
const STREAM_MS = 2_500;
/** Maximum time that profiling blocks the event loop. */
const SLICE_MS = 20;

const EXAMPLE = '```csv\ncity,date,price\nRome,2024-01-01,12.5\nMilan,2024-01-01,14\nRome,2024-02-01,13.5\n```';

async function takeTurn(turn: Turn): Promise<void> {
  turn.begin();
  const found = findCsv(turn.message);
  if (found.kind === 'none') {
    turn.ask(`${found.reason} Attach a CSV file or paste one, for example:\n\n${EXAMPLE}`);
    return;
  }
  turn.working(`Reading ${found.name}`);
  const csv = readCsv(found.text);
  if (csv instanceof CsvError) {
    turn.ask(`${csv.message} Send another CSV, for example:\n\n${EXAMPLE}`);
    return;
  }
  turn.working(`Profiling ${formatNumber(csv.rows.length)} rows and ${csv.columns.length} columns`);
  const { profile, columns } = await runInSlices(profileTable(csv), turn.signal);
  await present(turn, { name: found.name, csv, profile, columns });
}

function readCsv(text: string): Csv | CsvError {
  try {
    return parseCsv(text);
  } catch (error) {
    if (error instanceof CsvError) return error;
    throw error;
  }
}

/** Runs steps in slices and yields to the event loop in between. @throws the signal's reason if it aborts */
async function runInSlices<Result>(steps: Generator<undefined, Result>, signal: AbortSignal): Promise<Result> {
  let started = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - started < SLICE_MS) continue;
    await pause();
    signal.throwIfAborted();
    started = performance.now();
  }
}

interface Findings {
  name: string;
  csv: Csv;
  profile: Profile;
  columns: ReadColumn[];
}

/** Streams the commentary; table, chart and report are published right after the part that mentions them. */
async function present(turn: Turn, { name, csv, profile, columns }: Findings): Promise<void> {
  const sections = [describeOverview(name, csv, profile), describeColumns(profile), describeFindings(profile)] as const;
  const commentary = sections.join('');
  const stream = new TextStream(turn, commentary.length);
  const table = summaryTable(profile);
  const chart = chooseChart(profile, columns);

  await stream.write(sections[0]);
  publishView(turn, { id: 'columns', name: 'Columns', view: 'table', data: table });
  await stream.write(sections[1]);
  if (chart) publishView(turn, { id: 'chart', name: chart.title, view: 'chart', data: chart });
  await stream.write(sections[2], true);
  const bytes = Buffer.from(writeReport(commentary, table));
  const report = filePart({ name: 'report.md', mediaType: 'text/markdown', bytes });
  turn.publish({ artifactId: 'report', name: 'Report', description: 'The analysis as a file', parts: [report] });
  turn.complete(`Done: ${formatNumber(profile.rows)} rows and ${profile.columns.length} columns of ${name}.`);
}

/** Streams a Markdown artifact piece by piece. */
class TextStream {
  private readonly pauseMs: number;
  private readonly pieceLength: number;
  private first = true;

  constructor(
    private readonly turn: Turn,
    length: number,
  ) {
    const pieces = pieceCount(length);
    this.pauseMs = STREAM_MS / pieces;
    this.pieceLength = length / pieces;
  }

  /** @throws the signal's reason if the task is canceled in the meantime */
  async write(text: string, isLast = false): Promise<void> {
    const pieces = cutIntoPieces(text, Math.round(text.length / this.pieceLength));
    for (const [index, piece] of pieces.entries()) {
      const artifact = { artifactId: 'analysis', name: 'Analysis', parts: [textPart(piece, 'text/markdown')] };
      this.turn.publishChunk(artifact, { first: this.first, last: isLast && index === pieces.length - 1 });
      this.first = false;
      await sleep(this.pauseMs, undefined, { signal: this.turn.signal });
    }
  }
}

interface View {
  id: string;
  name: string;
  view: 'table' | 'chart';
  data: unknown;
}

/** Publishes a data part with a display hint; a client that does not support the hint still has the data. */
function publishView(turn: Turn, { id, name, view, data }: View): void {
  turn.publish({ artifactId: id, name, parts: [dataPart(data, { 'parley.view': view })] });
}

runAgent({ slug: 'analyst', createCard: analystCard, open: () => ({ takeTurn }) });
