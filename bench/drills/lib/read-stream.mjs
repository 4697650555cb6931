/**
 * Sends a message and reads its stream to the end.
 *
 * @param {{ origin: string, slug: string, token: string }} target
 * @param {object} message
 * @param {(task: { id: string }) => void} [onTask] called once the task is known
 * @returns {Promise<{ ended: boolean, taskId?: string, state?: string, final: boolean, code?: string, reason?: string, text: string, ms: number }>}
 *   `ended`: by the server, completely
 */
export async function readStream({ origin, slug, token }, message, onTask = () => undefined) {
  const startedAt = performance.now();
  const found = { ended: false, final: false, text: '', ms: 0 };
  try {
    const response = await fetch(`${origin}/agents/${slug}/a2a/jsonrpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } }),
    });
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of response.body) {
      rest += decoder.decode(chunk, { stream: true });
      const frames = rest.split('\n\n');
      rest = frames.pop();
      for (const frame of frames) addFrame(found, frame, onTask);
    }
    if (response.headers.get('content-type')?.startsWith('application/json'))
      addResponse(found, JSON.parse(rest), onTask);
    found.ended = true;
  } catch (error) {
    found.reason ??= String(error.cause ?? error);
  }
  found.ms = performance.now() - startedAt;
  return found;
}

function addFrame(found, frame, onTask) {
  const data = /^data: (.*)$/m.exec(frame)?.[1];
  if (data) addResponse(found, JSON.parse(data), onTask);
}

function addResponse(found, { result, error }, onTask) {
  if (error) {
    found.final = true;
    found.reason = error.message;
    found.code = JSON.stringify(error.data ?? error.code);
    return;
  }
  if (!found.taskId) {
    found.taskId = result.taskId ?? result.id;
    onTask({ id: found.taskId });
  }
  if (result.kind === 'artifact-update') found.text += result.artifact.parts.map(({ text }) => text).join('');
  if (!result.status) return;
  found.state = result.status.state;
  found.final ||= result.final === true;
  found.code = result.metadata?.['parley.error'] ?? found.code;
  found.reason = result.status.message?.parts[0]?.text ?? found.reason;
}
