import type { CoreCard, CoreSkill } from '../protocol/a2a/core/card';
import { MAX_PART_LENGTH, MAX_PARTS } from './limits';

/** A text of a card that has its own vector. */
export interface CardPart {
  /** 0 is the whole card, k its k-th skill. */
  part: number;
  text: string;
}

/**
 * The texts of a card: one per skill, because the skills of one agent may have nothing in common. Change the revision
 * in the models' names together with this format: vectors of two formats must not be compared.
 */
export function partsOf(card: Pick<CoreCard, 'name' | 'description' | 'skills'>): CardPart[] {
  const { name, description, skills } = card;
  const whole = [`${name}. ${description}`, ...skills.map((skill) => `${skill.name}: ${skill.description}`)];
  const texts = [whole.join(' '), ...skills.slice(0, MAX_PARTS - 1).map((skill) => skillText(card, skill))];
  return texts.map((text, part) => ({ part, text: text.slice(0, MAX_PART_LENGTH).trim() }));
}

function skillText({ name, description }: Pick<CoreCard, 'name' | 'description'>, skill: CoreSkill): string {
  const { tags, examples } = skill;
  return `${name}. ${description} ${skill.name}: ${skill.description} ${tags.join(', ')}. ${examples.join(' ')}`;
}
