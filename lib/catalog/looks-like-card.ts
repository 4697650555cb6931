const traits = ['url', 'supportedInterfaces', 'supported_interfaces', 'capabilities', 'skills', 'description'];

/** True for a JSON object that has the name and another member of an A2A card, however many faults it may have. */
export function looksLikeCard(bytes: Buffer): boolean {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const members = value as Record<string, unknown>;
    return members.name !== undefined && traits.some((name) => members[name] !== undefined);
  } catch {
    // Not JSON, or nested too deeply to be a card.
    return false;
  }
}
