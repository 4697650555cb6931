import type { JsonObject } from '../../json';
import type { CoreCard } from '../core/card';
import type { LegacySystem } from '../dialects';

/** What the clients of one system read in a card of A2A 0.1 in addition, or otherwise than others do. */
export function legacyMembersOf(system: LegacySystem, card: Pick<CoreCard, 'inputModes' | 'outputModes'>): JsonObject {
  switch (system) {
    case 'society':
      return {};
    case 'societyai':
      return { authentication: { schemes: ['bearer'], credentials: null } };
    case 'orloj':
      return { protocolVersion: '0.2' };
    case 'agentos':
      return { defaultInputModes: shortModes(card.inputModes), defaultOutputModes: shortModes(card.outputModes) };
  }
}

/** AgentOS names text by one word; other media types are written as they are. */
function shortModes(modes: string[]): string[] {
  return [...new Set(modes.map((mode) => (mode.startsWith('text/') ? 'text' : mode)))];
}
