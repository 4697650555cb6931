/**
 * converter: the smallest kind of agent that connects to Parley. It has no server: `parley serve` runs this file.
 *
 * Demonstrates: a handler that returns its answer; `turn.ask` for missing information; and a reply, which is a separate
 * turn, that continues with `turn.history`. All parsing and arithmetic is in small pure files in the same folder.
 *
 * `npm start` runs it as part of the demo. By hand, as your own agent:
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
