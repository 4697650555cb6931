import type { CoreCard } from '../protocol/a2a/core/card';

const textModes = /^(text(\/plain|\/markdown|\/\*)?|\*\/\*)$/i;
const maxPromptLength = 4_000;

/** The first example of a skill that takes text, or null: what a person who reads the card would try first. */
export function pickPrompt(card: CoreCard): string | null {
  for (const skill of card.skills) {
    const modes = skill.inputModes.length > 0 ? skill.inputModes : card.inputModes;
    if (modes.length > 0 && !modes.some((mode) => textModes.test(mode))) continue;
    const example = skill.examples.find((text) => text.trim() !== '' && text.length <= maxPromptLength);
    if (example !== undefined) return example;
  }
  return null;
}
