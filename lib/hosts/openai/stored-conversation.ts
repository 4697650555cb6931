import { listContextTasks, readContextTasks } from '../../tasks';
import { AnswerReader } from '../answers/read-answer';
import { type AnsweredTurn, findTurns } from '../store/turns';
import type { AgentRequest } from './agent-request';
import { type Conversations, hashOf } from './continuation';
import type { TranscriptMessage } from './transcript';

/**
 * The earlier messages of a request that begins another version of its conversation. Messages that the request only
 * refers to are read from the stored tasks: the previous response, or items by their ids.
 */
export async function earlierMessagesFor(
  conversations: Conversations,
  request: AgentRequest,
  earlier: TranscriptMessage[],
): Promise<TranscriptMessage[]> {
  const at = earlier.findLastIndex(({ isReference }) => isReference === true);
  const token = request.previous?.token ?? earlier[at]?.token;
  if (!token) return earlier;
  const [turn] = await findTurns(conversations.owner, [hashOf(request, token)]);
  if (!turn) return earlier.filter(({ isReference }) => isReference !== true);
  const given = request.previous ? earlier : earlier.slice(at + 1);
  return [...(await readConversation(conversations, turn)), ...given];
}

/** The messages of a context up to a turn. */
async function readConversation(
  { ctx, agent }: Conversations,
  { contextId, taskId, taskTurn }: AnsweredTurn,
): Promise<TranscriptMessage[]> {
  const summaries = await listContextTasks({ ctx, input: { agent, contextId } });
  const ids = summaries.map(({ id }) => id);
  const taskIds = ids.slice(0, ids.indexOf(taskId ?? '') + 1);
  const tasks = await readContextTasks({ ctx, input: { agent, taskIds } });
  return tasks.flatMap(({ id, events }) => {
    const messages: TranscriptMessage[] = [];
    let reader = new AnswerReader(id);
    const addAnswer = (): void => {
      if (reader.content !== '') messages.push(textMessage('assistant', reader.content));
      reader = new AnswerReader(id);
    };
    let turns = 0;
    for (const stored of events) {
      if (stored.event.type !== 'message') {
        reader.read(stored);
        continue;
      }
      addAnswer();
      turns++;
      if (id === taskId && turns > taskTurn) return messages;
      messages.push({ role: 'user', parts: stored.event.message.parts, token: null });
    }
    addAnswer();
    return messages;
  });
}

function textMessage(role: 'assistant', text: string): TranscriptMessage {
  return { role, parts: [{ kind: 'text', text }], token: null };
}
