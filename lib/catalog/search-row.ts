import { truncate } from '../platform/truncate';
import type { CoreCard, CoreSkill } from '../protocol/a2a/core/card';
import type { AgentRecord } from './record';
import { foldText, type SearchToken, tokensOf } from './search-text';

/** What search knows of one agent; the row of table `agent_search`. */
export interface SearchRow {
  agentId: string;
  /** The folded name: what exact and leading matches and the order by name compare. */
  nameKey: string;
  /**
   * A tsvector in its text form, without positions. Every word stands in it as it is; words of the name also behind
   * `n:`, words of name, skills and tags also behind `s:`.
   */
  document: string;
  /** Its words that can be misspelt: none of a script without spaces, no numbers, none shorter than three letters. */
  vocabulary: string[];
  skillNames: string[];
  /** Per skill, in the order of `skillNames`: its folded words between spaces. */
  skillWords: string[];
  tags: string[];
  badges: string[];
  createdAt: Date;
  ownerId: string;
  updatedAt: Date;
}

const maxTokens = 6_000;
const maxVocabulary = 2_000;
const maxSkillText = 6_000;
const maxSkills = 100;
const maxSkillName = 120;
/** Characters of one text that are searched. */
const maxText = 20_000;

/** The search row of an agent as its card describes it. */
export function searchRowOf(
  agent: Omit<AgentRecord, 'endpoints' | 'callLimits' | 'prices' | 'notice' | 'holdsCards' | 'iconDigest' | 'team'>,
): SearchRow {
  const { card } = agent;
  const skills = card.skills.slice(0, maxSkills);
  const name = tokensIn([card.name]);
  const headings = tokensIn([...agent.tags, ...skills.flatMap((skill) => [skill.name, ...skill.tags])]);
  const texts = tokensIn([
    card.description,
    card.provider?.organization ?? '',
    ...skills.flatMap((skill) => [skill.description, ...skill.examples]),
  ]);
  const all = [...name, ...headings, ...texts].slice(0, maxTokens);
  const lexemes = new Set([
    ...name.map(({ text }) => `n:${text}`),
    ...[...name, ...headings].slice(0, maxTokens).map(({ text }) => `s:${text}`),
    ...all.map(({ text }) => text),
  ]);
  return {
    agentId: agent.id,
    nameKey: foldText(agent.name),
    document: [...lexemes].map((lexeme) => `'${lexeme}'`).join(' '),
    vocabulary: vocabularyOf(all),
    skillNames: skills.map((skill) => truncate(skill.name, maxSkillName)),
    skillWords: skills.map(wordsOfSkill),
    tags: agent.tags,
    badges: agent.badges,
    createdAt: agent.createdAt,
    ownerId: agent.ownerId,
    updatedAt: agent.updatedAt,
  };
}

function tokensIn(texts: string[]): SearchToken[] {
  return texts.flatMap((text) => tokensOf(text.slice(0, maxText), { singles: true }));
}

// In one order everywhere: two agents that are listed at once then never wait for each other's words in a circle.
function vocabularyOf(tokens: SearchToken[]): string[] {
  const words = tokens
    .filter(({ text, isPair }) => !isPair && /^[\p{L}\p{M}]{3,40}$/u.test(text))
    .map(({ text }) => text);
  return [...new Set(words)].slice(0, maxVocabulary).sort();
}

function wordsOfSkill({ name, description, tags, examples }: CoreSkill): string {
  const text = [name, description, ...tags, ...examples].join(' ').slice(0, maxText);
  const words = new Set(tokensOf(text, { singles: true }).map((token) => token.text));
  return ` ${[...words].join(' ').slice(0, maxSkillText)} `;
}

/** The tags an agent is listed under when its owner names none: those of its skills, the first ten. */
export function tagsOfSkills(card: CoreCard, normalise: (tag: string) => string): string[] {
  const tags = card.skills
    .flatMap((skill) => skill.tags.map(normalise))
    .filter((tag) => tag !== '' && tag.length <= 40);
  return [...new Set(tags)].slice(0, 10);
}
