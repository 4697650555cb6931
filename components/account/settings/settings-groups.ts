/** The sections of each group of settings, in the order of its page. A section's name is the id of its heading. */
export const settingsGroups = {
  account: ['profile', 'language', 'publisher'],
  security: ['password', 'sessions', 'activity'],
  payments: [
    'wallet',
    'passkeys',
    'passkey-limit',
    'limits',
    'automatic',
    'prices',
    'results',
    'charges',
    'billing',
    'paid',
  ],
  connections: ['tokens', 'apps', 'agents', 'webhooks'],
  notifications: ['emails', 'devices', 'searches'],
  data: ['export', 'retention', 'delete'],
} as const;

export type SettingsGroup = keyof typeof settingsGroups;
export type SettingsSectionName = (typeof settingsGroups)[SettingsGroup][number];

/** The groups in the order of the navigation. */
export const settingsGroupNames = Object.keys(settingsGroups) as SettingsGroup[];

/** Returns the page of a group. */
export function settingsPath(group: SettingsGroup): string {
  return `/settings/${group}`;
}
