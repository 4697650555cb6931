import { newUuid } from '@/lib/platform/ids';
import * as agent03 from '../fakes/a2a03';
import { ScriptedAgent } from '../fakes/scripted-agent';
import { type Connection, message10, rpc, withHeaders } from '../support/fixtures';

/** A task of A2A 1.1, as far as tests read it. */
export interface DraftTask {
  id: string;
  contextId: string;
  status: { state: string; message?: { parts: object[] }; elicitations?: Elicitation[] };
  generation: string;
  timeline?: { generation: string; message?: { parts: object[] }; status?: DraftTask['status'] }[];
  elicitations?: Elicitation[];
  artifacts?: { artifactId: string; startGeneration?: string; endGeneration?: string }[];
  history?: object[];
}

export interface Elicitation {
  elicitationId: string;
  state: string;
  metadata?: object;
}

/**
 * An agent of A2A 0.3 that asks on `ask`, with a form on `form`, works until {@link StepAgent.finish} on `slow`, and otherwise answers in two
 * pieces.
 */
export interface StepAgent {
  agent: ScriptedAgent;
  /** Ends all tasks that still work. */
  finish: () => void;
}

function formOf(taskId: string): object {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const parts = [{ kind: 'data', data: { kind: 'form', schema } }];
  return { kind: 'message', messageId: newUuid(), role: 'agent', parts, taskId };
}

export async function startStepAgent(): Promise<StepAgent> {
  const agent = await ScriptedAgent.start({ name: 'Steps' });
  const waiting: (() => void)[] = [];
  agent.answer(({ received, result, json, end }) => {
    const { message, id } = received.params;
    if (!message) {
      const state = received.method === 'tasks/cancel' ? 'canceled' : 'input-required';
      return json({ jsonrpc: '2.0', id: received.id, result: agent03.task(String(id), state) });
    }
    const taskId = message.taskId ?? `up-${newUuid()}`;
    const text = message.parts[0]?.text ?? '';
    const complete = (): void => {
      result(agent03.artifact(taskId, 'he'));
      result(agent03.artifact(taskId, 'llo', { append: true }));
      result(agent03.status(taskId, 'completed', 'done'));
      end();
    };
    if (text === 'form') {
      result({
        ...agent03.status(taskId, 'input-required'),
        status: { state: 'input-required', message: formOf(taskId) },
      });
      end();
    } else if (text.startsWith('ask')) {
      result(agent03.status(taskId, 'input-required', 'What?'));
      end();
    } else if (text === 'slow') {
      result(agent03.status(taskId, 'working', 'started'));
      waiting.push(complete);
    } else complete();
  });
  const finish = (): void => {
    for (const complete of waiting.splice(0)) complete();
  };
  return { agent, finish };
}

/** The connection in A2A 1.1. */
export function draft(connection: Connection): Connection {
  return withHeaders(connection, { ...connection.headers, 'a2a-version': '1.1' });
}

/** The task that a message starts or continues. */
export async function sendDraft(
  connection: Connection,
  text: string,
  { configuration, ...extra }: { taskId?: string; configuration?: object; elicitationIds?: string[] } = {},
): Promise<DraftTask> {
  const { body } = await rpc(draft(connection), 'SendMessage', { ...message10(text, extra), configuration });
  if (body.error) throw Object.assign(new Error(body.error.message), body.error);
  return (body.result as { task: DraftTask }).task;
}

export async function getDraft(connection: Connection, id: string, extra: object = {}): Promise<DraftTask> {
  const { body } = await rpc(draft(connection), 'GetTask', { id, ...extra });
  if (body.error) throw Object.assign(new Error(body.error.message), body.error);
  return body.result as DraftTask;
}
