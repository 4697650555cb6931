/**
 * researcher: an agent that hires another agent. It connects to Parley: `parley serve` runs this file.
 *
 * Demonstrates: `turn.agents.search` finds an agent for the work; `turn.agents.send` hires it on behalf of the caller
 * of this turn, who is asked for approval; the answer is based on its findings. If the agent cannot be hired, does not
 * finish or asks a question, the caller receives exactly that information.
 *
 * `npm start` runs it as part of the demo. By hand, as your own agent:
 *
 *   npx http://localhost:3000/packages/parley.tgz --api-url http://localhost:3000 \
 *     serve examples/agents/researcher/main.ts --agent my-researcher --create
 */
import { type AgentReply, type FoundAgent, type Turn, TurnError, type TurnOutput } from '@parley/agent/serve';
import { composeAnswer } from './answer';
import { RESEARCHER_NAME, researcherCard } from './card';
import { readFindings } from './findings';
import { type Dataset, findDataset, TOPICS } from './library';

export const card = researcherCard;

/** Required ability of the hired agent. */
const WANTED = 'profile a CSV';
const FOUND_AGENTS = 10;
/** Of the question that the hired agent reads, UTF-16 code units. */
const MAX_QUESTION = 120;

export async function* handle(turn: Turn): AsyncGenerator<TurnOutput> {
  const dataset = attachedTable(turn) ?? findDataset(turn.text);
  if (!dataset) {
    yield turn.ask(`I have figures about ${TOPICS}. Ask about one of them, or attach a CSV file.`);
    return;
  }
  const analyst = await findAnalyst(turn);
  yield turn.status(`Asking ${analyst.name} to analyze ${dataset.title}`);
  const reply = await hire(turn, analyst, dataset);
  if (reply.state === 'TASK_STATE_INPUT_REQUIRED') {
    yield turn.ask(`${analyst.name}, which I hired, asks: ${reply.text || 'something without words'}`);
    return;
  }
  const findings = readFindings(reply);
  yield { text: composeAnswer(turn.text, { dataset, findings, by: analyst.name }), mediaType: 'text/markdown' };
  if (findings.chart) yield turn.artifact({ artifactId: 'chart', name: 'Chart', parts: [findings.chart] });
}

/** Returns the caller's CSV file, attached or pasted. */
function attachedTable({ files, text }: Turn): Dataset | null {
  const file = files.find(
    ({ raw, mediaType, filename }) => raw && /csv|tab-separated/.test(`${mediaType} ${filename}`),
  );
  const pasted = /^[^\n,;]+[,;][^\n]*\n(?:[^\n]*[,;][^\n]*(?:\n|$)){2,}/m.exec(text)?.[0];
  const csv = file?.raw ? Buffer.from(file.raw, 'base64').toString('utf8') : pasted;
  if (csv === undefined) return null;
  const fileName = file?.filename ?? 'table.csv';
  return { title: fileName, fileName, csv, source: 'your table', measures: [] };
}

/** Returns the first suitable agent of the catalog. @throws {TurnError} if there is none, or the search fails */
async function findAnalyst({ agents }: Turn): Promise<FoundAgent> {
  const { items } = await agents.search(WANTED, { limit: FOUND_AGENTS }).catch((error: unknown) => {
    throw new TurnError(`I could not look for an agent to analyze the figures: ${reasonOf(error)}`);
  });
  const others = items.filter(({ name }) => name !== RESEARCHER_NAME);
  const made = others.find(({ tags }) => Array.isArray(tags) && tags.includes('csv'));
  const found = made ?? others[0];
  if (found) return found;
  throw new TurnError('I found no agent that analyzes figures, and cannot do it without one.');
}

/** Has the table analyzed. @throws {TurnError} if the agent does not complete the task */
async function hire(turn: Turn, { slug, name }: FoundAgent, { fileName, csv }: Dataset): Promise<AgentReply> {
  const raw = Buffer.from(csv).toString('base64');
  const parts = [{ raw, filename: fileName, mediaType: 'text/csv' }];
  // Includes the question: the same text to the same agent counts as a repetition.
  const [question = ''] = turn.text.trim().split('\n');
  const text = `Profile the attached CSV. It is about: ${question.slice(0, MAX_QUESTION)}`;
  const reply = await turn.agents.send(slug, { text, parts }).catch((error: unknown) => {
    turn.signal.throwIfAborted();
    throw new TurnError(`I could not hire ${name}: ${reasonOf(error)} Without an analysis I have no answer.`);
  });
  const hasEnded = reply.state === 'TASK_STATE_COMPLETED' || reply.state === 'TASK_STATE_INPUT_REQUIRED';
  if (hasEnded) return reply;
  const said = reply.message?.parts.map(({ text }) => text ?? '').join(' ');
  throw new TurnError(`${name} did not finish the analysis: ${said || ENDINGS[reply.state] || reply.state}`);
}

/** Final states of a hired agent's task other than completed. */
const ENDINGS: Partial<Record<AgentReply['state'], string>> = {
  TASK_STATE_FAILED: 'it failed.',
  TASK_STATE_REJECTED: 'it refused.',
  TASK_STATE_CANCELED: 'it was stopped.',
  TASK_STATE_AUTH_REQUIRED: 'it wants you to sign in.',
};

const REASONS: Record<string, string> = {
  approval_denied: 'you did not allow it.',
  forbidden: 'you do not let me hire agents.',
  hiring_refused: 'you do not let me hire agents.',
  no_person: 'I hire agents for people only, not for apps.',
  agent_offline: 'it is offline.',
  agent_unreachable: 'it does not answer.',
  agent_not_found: 'it is no longer listed.',
  chain_stopped: 'you stopped the work.',
};

/** Returns the reason for an error, as a sentence. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'something went wrong.';
  const known = REASONS[String((error as { code?: unknown }).code)];
  const sentence = error.message.endsWith('.') ? error.message : `${error.message}.`;
  return known ?? sentence;
}
