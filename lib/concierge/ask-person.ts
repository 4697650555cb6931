import { foldText } from '../catalog';
import { newUuid } from '../platform/ids';
import type { AgentItem } from '../protocol/a2a/dialects';
import { round } from './decide';
import type { Candidate } from './find-candidates';
import { MAX_CHOICE_DESCRIPTION, MAX_WORDS_OF_WISH } from './limits';
import { type AgentChoice, type AgentChoices, CHOICES_KIND, type ChoiceReason } from './schema';

interface Question {
  taskId: string;
  reason: ChoiceReason;
  /** At least one candidate, best first. */
  offered: Candidate[];
  /** The reason why an agent could not accept the task. */
  problem?: string;
}

/**
 * Returns the concierge's question that asks which agent should receive the message: a text with the agents' names, and
 * a data part for programs.
 */
export function toQuestion({ taskId, reason, offered, problem }: Question): AgentItem {
  const choices: AgentChoices = { kind: CHOICES_KIND, reason, choices: offered.map(toChoice) };
  const text = [
    problem,
    textFor(
      reason,
      offered.map(({ agent }) => agent.name),
    ),
  ]
    .filter(Boolean)
    .join(' ');
  return toStatus(taskId, { state: 'input-required', text, data: choices });
}

interface Statement {
  state: 'input-required' | 'rejected';
  text: string;
  data?: AgentChoices;
}

/** Returns a statement of the concierge as a status of its task. */
export function toStatus(taskId: string, { state, text, data }: Statement): AgentItem {
  return {
    type: 'status',
    taskId,
    state,
    message: {
      messageId: newUuid(),
      role: 'agent',
      parts: [
        { kind: 'text', text, mediaType: 'text/plain' },
        ...(data ? [{ kind: 'data' as const, data: { ...data } }] : []),
      ],
    },
  };
}

function toChoice(candidate: Candidate): AgentChoice {
  const { agent, skill, score, price } = candidate;
  return {
    agent: agent.slug,
    name: agent.name,
    description: agent.description.slice(0, MAX_CHOICE_DESCRIPTION).toWellFormed(),
    skill,
    price,
    score: score === null ? null : round(score),
  };
}

function textFor(reason: ChoiceReason, names: string[]): string {
  const all = new Intl.ListFormat('en', { type: 'disjunction' }).format(names);
  const [first] = names;
  const ask = names.length === 1 ? `Should I ask ${first}?` : `Which one should I ask: ${all}?`;
  switch (reason) {
    case 'unsure':
      return names.length === 1
        ? `I am not sure who can do this. ${ask}`
        : `Several agents may be able to do this. ${ask}`;
    case 'paid':
      return `${first} seems to fit, but it takes payments, so I need your OK first. ${ask}`;
    case 'private':
      return `Your message contains a file or something that looks private, so I'm asking before I forward it. ${ask}`;
    case 'nothing-fits':
      return `Nothing fits your request. The closest ${names.length === 1 ? 'agent' : 'agents'}: ${all}. Pick one, or describe your request differently.`;
    case 'unavailable':
      return `Another agent may be able to do this. ${ask}`;
    case 'another':
      return ask;
  }
}

/** An offered agent. */
interface Offered {
  slug: string;
  name: string;
}

/** Words for a position in the list: English, German, French, Spanish, Italian, Portuguese, Dutch. */
const places: string[][] = [
  'first 1st one 1 eins erste ersten erster premier premiere primero primera primo prima primeiro primeira eerste'.split(
    ' ',
  ),
  'second 2nd two 2 zwei zweite zweiten zweiter deuxieme second seconde segundo segunda secondo seconda tweede'.split(
    ' ',
  ),
  'third 3rd three 3 drei dritte dritten dritter troisieme tercero tercera terzo terza terceiro terceira derde'.split(
    ' ',
  ),
];
const lastWords = 'last letzte letzten dernier derniere ultimo ultima laatste'.split(' ');
const yesWords = 'yes y ok okay sure please go ja gerne oui si sim klar do'.split(' ');
/** Words that may surround a position or a yes. */
const fillers =
  'the a ask number option agent please take use let us lets try choose pick go with i want would like to it one den die das frage nimm bitte le la el lo il de is'.split(
    ' ',
  );

/** Returns the offered agent that a reply selects by name, slug or position in the list; null for any other text. */
export function readChoice(text: string, offered: Offered[]): Offered | null {
  const folded = ` ${wordsOf(text).join(' ')} `;
  const named = offered.filter(
    ({ slug, name }) => folded.includes(` ${wordsOf(name).join(' ')} `) || text.toLowerCase().includes(slug),
  );
  if (named.length === 1 && named[0]) return named[0];
  if (named.length > 1) {
    // "Travel" is contained in "Travel Pro", so the longest name is selected.
    const within = (whole: string, part: string): boolean => wordsOf(whole).join(' ').includes(wordsOf(part).join(' '));
    return named.find((one) => named.every((other) => within(one.name, other.name))) ?? null;
  }
  return byPlace(wordsOf(text), offered);
}

function byPlace(words: string[], offered: Offered[]): Offered | null {
  const telling = words.filter((word) => !fillers.includes(word) || word === 'one');
  const key = telling.length > 1 ? telling.filter((word) => word !== 'one') : telling;
  const [word] = key;
  if (word === undefined || key.length > 1) return null;
  if (lastWords.includes(word)) return offered.at(-1) ?? null;
  if (offered.length === 1 && yesWords.includes(word)) return offered[0] ?? null;
  const place = places.findIndex((names) => names.includes(word));
  return offered[place] ?? null;
}

const others =
  /\b(?:someone|somebody|anyone|anybody) else\b|\b(?:an)?other (?:one|agent)s?\b|\bdifferent (?:one|agent)\b|\bnone of (?:these|those|them)\b|\bandere[nrs]? (?:agent\w*|anbieter\w*)\b|\bjemand(?:en)? ander(?:s|en)\b|\bun autre agent\b|\botro agente\b/i;

/** Returns true for a short message that asks for another agent. */
export function asksForAnother(text: string): boolean {
  return others.test(text) && wordsOf(text).length <= MAX_WORDS_OF_WISH;
}

function wordsOf(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
