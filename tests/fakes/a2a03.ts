/** A2A 0.3 events as an agent writes them, for scripted agents. */
export function status(taskId: string, state: string, text?: string): object {
  const message = text === undefined ? undefined : agentMessage(text, taskId);
  const final = ['completed', 'failed', 'canceled', 'rejected', 'input-required', 'auth-required'].includes(state);
  return { kind: 'status-update', taskId, contextId: 'agent-context', status: { state, message }, final };
}

export function artifact(
  taskId: string,
  text: string,
  options: { append?: boolean; artifactId?: string } = {},
): object {
  const { append = false, artifactId = 'text' } = options;
  const parts = [{ kind: 'text', text }];
  return { kind: 'artifact-update', taskId, contextId: 'agent-context', artifact: { artifactId, parts }, append };
}

export function task(taskId: string, state: string, texts: string[] = []): object {
  const parts = texts.map((text) => ({ kind: 'text', text }));
  const artifacts = parts.length > 0 ? [{ artifactId: 'text', parts }] : [];
  return { kind: 'task', id: taskId, contextId: 'agent-context', status: { state }, artifacts, history: [] };
}

export function agentMessage(text: string, taskId?: string): object {
  return { kind: 'message', messageId: `m-${text}`, role: 'agent', parts: [{ kind: 'text', text }], taskId };
}
