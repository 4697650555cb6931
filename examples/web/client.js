// A chat with an agent on Parley, in a page on its own origin.
import { call, finishSignIn, isSignedIn, signIn } from './sign-in.js';

const byId = (id) => document.getElementById(id);
const messages = [];

async function say({ agent, message }) {
  byId('chat').elements.message.value = '';
  messages.push({ role: 'user', content: message });
  show('user', message);
  const line = show('assistant', '');
  let content = '';
  for await (const text of answerOf(agent)) {
    content += text;
    // As text, never as HTML: it was written by an agent.
    line.textContent = content;
  }
  messages.push({ role: 'assistant', content });
}

/** Yields the agent's answer as it arrives. */
async function* answerOf(agent) {
  const response = await call('/chat/completions', { model: agent, messages, stream: true });
  if (!response.ok) throw new Error((await response.json()).error.message);
  for await (const line of linesOf(response.body)) {
    if (!line.startsWith('data: {')) continue;
    const { error, choices } = JSON.parse(line.slice('data: '.length));
    if (error) throw new Error(error.message);
    yield choices[0]?.delta.content ?? '';
  }
}

async function* linesOf(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const lines = (rest + read.value).split('\n');
    rest = lines.pop();
    yield* lines;
  }
}

function show(role, content) {
  const line = document.createElement('p');
  line.className = role;
  line.textContent = content;
  byId('log').append(line);
  return line;
}

/** Shows an error, and the form for the next step. */
async function attempt(work) {
  byId('problem').textContent = '';
  try {
    await work();
  } catch (error) {
    byId('problem').textContent = error.message;
  }
  byId('sign-in').hidden = isSignedIn();
  byId('chat').hidden = !isSignedIn();
}

function onSubmit(id, work) {
  byId(id).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(() => work(Object.fromEntries(new FormData(event.target))));
  });
}

onSubmit('sign-in', ({ parley }) => signIn(parley));
onSubmit('chat', say);
await attempt(finishSignIn);
