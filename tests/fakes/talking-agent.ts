import { newUuid } from '@/lib/platform/ids';
import * as agent03 from './a2a03';
import { type Exchange, ScriptedAgent } from './scripted-agent';

/** The 0.3 parts of the message that was received. */
function partsOf({ received }: Exchange): { kind: string; text?: string }[] {
  return received.params.message?.parts ?? [];
}

/**
 * An agent that does what the first word of the message says: `ask` asks a question, `login` wants a login, `reject`
 * rejects, `fail` fails, `say` answers with a message alone, `hold` works until `letGo`, `echo` gives all parts back in an
 * artifact; anything else becomes the text of one artifact. What follows a question is answered with "got: …".
 */
export async function startTalkingAgent(
  options: { name?: string; stateTransitionHistory?: boolean } = {},
): Promise<{ agent: ScriptedAgent; letGo: () => void; sends: () => number }> {
  const agent = await ScriptedAgent.start({ name: 'Talker', ...options });
  const waiting: (() => void)[] = [];
  /** The question that each task waits with, as `tasks/get` answers it. */
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
      const said =
        word === 'echo' ? parts.slice(1) : [{ kind: 'text', text: followUp ? `got: ${text}` : `answer: ${text}` }];
      const artifact = { artifactId: 'a1', name: 'response', parts: said };
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
    letGo: () => {
      for (const go of waiting.splice(0)) go();
    },
    sends: () => agent.calls('message/stream').length,
  };
}

function statusOf(event: object): unknown {
  return (event as { status: unknown }).status;
}
