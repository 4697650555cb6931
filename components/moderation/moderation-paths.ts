/** Pages of the moderators besides their queue. */
export const moderationPaths = { activity: '/admin/activity', blockedClients: '/admin/clients' } as const;
