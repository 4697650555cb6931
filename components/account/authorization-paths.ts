/** Pages that an app or a device leads to. */
export const authorizationPaths = { authorize: '/oauth/authorize', device: '/device' } as const;
