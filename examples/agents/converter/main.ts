/**
 * converter: the smallest kind of agent that connects to Parley. It has no server: `parley serve` runs this file.
 *
 * What it shows: a handler that returns its answer; `turn.ask` when something is missing, and how the reply, a turn of
 * its own, continues with `turn.history`. All parsing and arithmetic is in small pure files beside this one.
 *
 * `npm start` runs it as part of the demo. By hand, as an agent of yours:
 *
 *   npx http://localhost:3000/packages/parley.tgz --api-url http://localhost:3000 \
 *     serve examples/agents/converter/main.ts --agent my-converter --create
 */
import type { Turn, TurnOutput } from '@parley/agent/serve';
import { converterCard } from './card';
import { answerTo } from './conversation';

export const card = converterCard;

export async function handle(turn: Turn): Promise<TurnOutput> {
  const asked = turn.history.filter(({ role }) => role === 'ROLE_USER');
  const earlier = asked.map(({ parts }) => parts.map(({ text }) => text ?? '').join('\n'));
  const answer = answerTo([...earlier, turn.text], new Date());
  return 'question' in answer ? turn.ask(answer.question) : { text: answer.text, mediaType: 'text/markdown' };
}
