/** The grants of the token endpoint by their names on the wire. */
export const GRANT_TYPES = {
  deviceCode: 'urn:ietf:params:oauth:grant-type:device_code',
  refreshToken: 'refresh_token',
  clientCredentials: 'client_credentials',
  tokenExchange: 'urn:ietf:params:oauth:grant-type:token-exchange',
} as const;
