/** What access tokens may do, in the words of their owner. */
export const scopes = [
  { id: 'agents:read', label: 'Read your agents', hint: 'Also those that are private or unlisted.' },
  {
    id: 'agents:write',
    label: 'Change your agents',
    hint: 'Register, edit and withdraw them, and manage developer apps.',
  },
  { id: 'handshake', label: 'Call agents as you', hint: 'Get tokens for agents and talk to them in your name.' },
  { id: 'pay', label: 'Pay for you', hint: 'See and approve what agents offer, without asking you again.' },
] as const;

/** The words for a scope; its own name when it is none of ours. */
export function scopeLabel(id: string): string {
  return scopes.find((scope) => scope.id === id)?.label ?? id;
}
