/**
 * quiz: asks five questions on a topic, keeps the score, and ends.
 *
 * Demonstrates: a conversation over many turns without stored state. Each turn replays the task's messages, so the quiz
 * survives a restart, and any number of processes could serve it.
 */
import { createHash } from 'node:crypto';
import type { Turn, TurnOutput } from '@parley/agent/serve';
import { type Level, type Question, questionsOf, type Topic, topics } from './quiz-questions';

const ROUNDS = 5;

export const card = {
  name: 'Quiz Master',
  description:
    'Tests your knowledge: five questions on capitals, science, history or words, easy or hard. Accepts answers with small ' +
    'typos, gives hints, explains what was wrong, and keeps the score.',
  version: '1.0.0',
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/markdown'],
  skills: [
    {
      id: 'quiz',
      name: 'Take a quiz',
      description: 'Asks five questions on the topic and level of your choice, and grades your answers.',
      tags: ['quiz', 'trivia', 'test', 'learning', 'capitals', 'science', 'history', 'vocabulary'],
      examples: ['Test me on capitals', 'A hard science quiz, please', 'Quiz me on history'],
    },
  ],
};

export async function* handle(turn: Turn): AsyncGenerator<TurnOutput> {
  const earlier = turn.history.filter(({ role }) => role === 'ROLE_USER').map(({ parts }) => parts[0]?.text ?? '');
  const { text, isOver } = play([...earlier, turn.text], turn.taskId);
  yield isOver ? { text, mediaType: 'text/markdown' } : turn.ask([{ text, mediaType: 'text/markdown' }]);
}

interface Reply {
  text: string;
  isOver: boolean;
}

/**
 * Returns the reply to the last of a player's messages (oldest first).
 * @param seed selects the questions
 */
export function play(messages: string[], seed: string): Reply {
  let round: Round | null = null;
  let level: Level = 'easy';
  let reply: Reply = { text: '', isOver: false };
  for (const message of messages) {
    level = readLevel(message) ?? level;
    if (/^\s*(?:stop|quit|end|exit|i give up|that[’']?s all|enough)\b/i.test(message)) {
      return { text: round ? `Stopped. ${scoreOf(round)}` : 'No quiz, then. See you!', isOver: true };
    }
    if (round) {
      reply = answer(round, message);
      continue;
    }
    const topic = topicOf(message);
    if (topic) {
      round = { topic, level, questions: pick(questionsOf(topic, level), seed), asked: 0, right: 0, hinted: false };
      reply = { text: `${ROUNDS} questions on ${topic}, ${level}.\n\n${askNext(round)}`, isOver: false };
    } else {
      const known = `I have quizzes on ${topics.slice(0, -1).join(', ')} and ${topics.at(-1)}, easy or hard.`;
      reply = { text: `${known} Which one would you like?`, isOver: false };
    }
  }
  return reply;
}

interface Round {
  topic: Topic;
  level: Level;
  questions: Question[];
  asked: number;
  right: number;
  hinted: boolean;
}

function answer(round: Round, message: string): Reply {
  const question = round.questions[round.asked];
  if (!question) return { text: scoreOf(round), isOver: true };
  const [best = '', ...others] = question.answers;
  if (/^\s*(?:a |the )?(?:hint|help|clue)\b/i.test(message) && !round.hinted) {
    round.hinted = true;
    return { text: `It starts with **${best.slice(0, 1)}** and has ${best.length} characters.`, isOver: false };
  }
  if (message.trim() === '') return { text: `Answer in words, or say “skip” or “hint”.`, isOver: false };
  const isRight = [best, ...others].some((accepted) => isMatch(message, accepted));
  const isSkipped = /^\s*(?:skip|pass|next|i don[’']?t know|dunno|no idea|\?)/i.test(message);
  round.asked += 1;
  round.hinted = false;
  if (isRight) round.right += 1;
  const verdict = isRight ? '**Right!**' : `${isSkipped ? '' : 'Not quite. '}The answer is **${best}**.`;
  if (round.asked < round.questions.length) return { text: `${verdict}\n\n${askNext(round)}`, isOver: false };
  return { text: `${verdict}\n\n${scoreOf(round)}`, isOver: true };
}

function askNext({ questions, asked }: Round): string {
  return `**Question ${asked + 1} of ${questions.length}**: ${questions[asked]?.text}`;
}

function scoreOf({ right, asked, topic }: Round): string {
  if (asked === 0) return 'You answered no questions.';
  const words = ['Better luck next time.', 'A start!', 'Not bad.', 'Well done!', 'Perfect!'];
  const word = words[Math.min(4, Math.floor((right / asked) * 4))];
  return `**Your score: ${right} of ${asked}** on ${topic}. ${word}`;
}

function readLevel(message: string): Level | null {
  if (/\b(?:hard|difficult|expert|advanced|tough)\b/i.test(message)) return 'hard';
  return /\b(?:easy|simple|beginner)\b/i.test(message) ? 'easy' : null;
}

function topicOf(message: string): Topic | null {
  const words = new Set(message.toLowerCase().match(/\p{L}+/gu) ?? []);
  if (words.has('any') || words.has('anything') || words.has('surprise')) return topics[0];
  const also: Record<string, Topic> = {
    capital: 'capitals',
    geography: 'capitals',
    countries: 'capitals',
    cities: 'capitals',
    physics: 'science',
    chemistry: 'science',
    biology: 'science',
    space: 'science',
    historical: 'history',
    past: 'history',
    vocabulary: 'words',
    english: 'words',
    language: 'words',
  };
  for (const word of words) {
    const topic = topics.find((name) => name === word) ?? (Object.hasOwn(also, word) ? also[word] : undefined);
    if (topic) return topic;
  }
  return null;
}

/** Selects distinct questions in the order of their hashes, so that a replay asks the same ones. */
function pick(questions: Question[], seed: string): Question[] {
  const hash = ({ text }: Question) => createHash('sha256').update(`${seed} ${text}`).digest('hex');
  return questions.toSorted((a, b) => hash(a).localeCompare(hash(b))).slice(0, ROUNDS);
}

/** Returns true if the message contains the words of the answer, with one typo allowed in longer words. */
function isMatch(message: string, accepted: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^\p{L}\d]+/gu, ' ')
      .trim();
  const [given, wanted] = [` ${plain(message)} `, plain(accepted)];
  if (given.includes(` ${wanted} `)) return true;
  return wanted.length >= 5 && isOneMistake(given.trim().slice(0, 100), wanted);
}

/** Returns true if one inserted, missing, wrong or swapped character makes them equal. */
function isOneMistake(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  const isSwap = restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2);
  return restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1) || isSwap;
}
