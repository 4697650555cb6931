import { randomUUID } from 'node:crypto';
import * as agent03 from '../../fakes/a2a03';
import type { ScriptedAgent } from '../../fakes/scripted-agent';

/** Makes an agent answer every message with one text, in its own task. */
export function replyAlways(agent: ScriptedAgent, textFor: (requestText: string) => string): void {
  agent.answer(({ received, result, end }) => {
    const id = randomUUID();
    const requestText = received.params.message?.parts.map(({ text }) => text ?? '').join('') ?? '';
    result(agent03.status(id, 'working'));
    result(agent03.artifact(id, textFor(requestText)));
    result(agent03.status(id, 'completed'));
    end();
  });
}

/** Makes an agent answer every message with an artifact of these parts, in A2A 0.3. */
export function answerParts(agent: ScriptedAgent, parts: object[], name = 'page'): void {
  agent.answer(({ result, end }) => {
    const taskId = randomUUID();
    result(agent03.status(taskId, 'working'));
    const artifact = { artifactId: 'made', name, parts };
    result({ kind: 'artifact-update', taskId, contextId: 'agent-context', artifact });
    result(agent03.status(taskId, 'completed'));
    end();
  });
}

/** Text whose characters span chunks: half a rocket in each. */
export const pieces = Array.from({ length: 160 }, (_, index) =>
  index % 5 === 0 ? `\n\n**${index}** 🚀 é\u0301 ` : `word${index} `,
);
