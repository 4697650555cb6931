import { newUuid } from '@/lib/platform/ids';
import * as agent03 from './a2a03';
import { type Exchange, ScriptedAgent } from './scripted-agent';

/** The 0.3 parts of the received message. */
function partsOf({ received }: Exchange): { kind: string; text?: string }[] {
  return received.params.message?.parts ?? [];
}

/**
 * An agent controlled by the message's first word: `ask` asks a question, `login` requires authorization, `reject`
 * rejects, `fail` fails, `say` returns only a message, `hold` works until `release`, `echo` returns all parts in an
 * artifact; any other text becomes one artifact. The follow-up to a question is answered with "got: …".
 */
export async function startChattyAgent(
  options: { name?: string; stateTransitionHistory?: boolean } = {},
): Promise<{ agent: ScriptedAgent; release: () => void; sends: () => number }> {
  const agent = await ScriptedAgent.start({ name: 'Talker', ...options });
  const waiting: (() => void)[] = [];
  /** The question each task is waiting on, as `tasks/get` returns it. */
  const questions = new Map<string, object>();

  async function speak(exchange: Exchange): Promise<void> {
    const { received, result, end } = exchange;
    const followUp = received.params.message?.taskId;
    const id = followUp ?? `up-${newUuid()}`;
    const parts = partsOf(exchange);
    const [first] = parts;
    const text = first?.text ?? '';
    const word = text.split(' ', 1)[0];
    const ask = (state: string, question: string): void => {
      const event = agent03.status(id, state, question);
      questions.set(id, event);
      result(event);
    };
    questions.delete(id);
    if (word === 'say') result(agent03.agentMessage(text.slice(4)));
    else if (word === 'ask') ask('input-required', 'which one?');
    else if (word === 'login') ask('auth-required', 'who are you?');
    else if (word === 'reject') result(agent03.status(id, 'rejected', 'not my trade'));
    else if (word === 'fail') result(agent03.status(id, 'failed', 'it broke'));
    else {
      result(agent03.status(id, 'working', 'Researching...'));
      if (word === 'hold') await new Promise<void>((resolve) => waiting.push(resolve));
      const instruction =
        word === 'echo' ? parts.slice(1) : [{ kind: 'text', text: followUp ? `got: ${text}` : `answer: ${text}` }];
      const artifact = { artifactId: 'a1', name: 'response', parts: instruction };
      result({ kind: 'artifact-update', taskId: id, contextId: 'agent-context', artifact, append: false });
      result(agent03.status(id, 'completed'));
    }
    end();
  }

  agent.answer((exchange) => {
    const { received, json } = exchange;
    if (received.method === 'message/stream') return speak(exchange);
    const id = received.params.id ?? '';
    const isCancel = received.method === 'tasks/cancel';
    const asked = isCancel ? undefined : questions.get(id);
    const task = { ...agent03.task(id, isCancel ? 'canceled' : 'working'), ...(asked && { status: statusOf(asked) }) };
    return json({ jsonrpc: '2.0', id: received.id, result: task });
  });
  return {
    agent,
    release: () => {
      for (const go of waiting.splice(0)) go();
    },
    sends: () => agent.calls('message/stream').length,
  };
}

function statusOf(event: object): unknown {
  return (event as { status: unknown }).status;
}
