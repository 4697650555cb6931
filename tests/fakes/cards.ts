/** A valid A2A 1.0 card for an agent at `base`. */
export function cardV10(base: string, change: object = {}): Record<string, unknown> {
  return {
    name: 'Translator',
    description: 'Translates documents between languages.',
    version: '2.1.0',
    supportedInterfaces: [{ url: `${base}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'translate',
        name: 'Translate text',
        description: 'Translates text between two languages.',
        tags: ['Translation', 'languages'],
        examples: ['Translate this letter into French'],
      },
    ],
    ...change,
  };
}

/** A valid A2A 0.3 card for an agent at `base`. */
export function cardV03(base: string, change: object = {}): Record<string, unknown> {
  return {
    protocolVersion: '0.3.0',
    name: 'Translator',
    description: 'Translates documents between languages.',
    version: '2.1.0',
    url: `${base}/a2a`,
    preferredTransport: 'JSONRPC',
    capabilities: { streaming: true, pushNotifications: false },
    securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    security: [{ bearer: [] }],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    skills: [
      {
        id: 'translate',
        name: 'Translate text',
        description: 'Translates text between two languages.',
        tags: ['Translation', 'languages'],
        examples: ['Translate this letter into French'],
      },
    ],
    ...change,
  };
}

/** The card that Web42 documents: no address, no protocol version. */
export function cardWeb42(change: object = {}): Record<string, unknown> {
  return {
    name: 'Pizza Corner',
    description: 'Takes pizza orders for delivery',
    version: '1.0.0',
    capabilities: {
      streaming: true,
      pushNotifications: false,
      extensions: [
        { uri: 'https://google-a2a.github.io/A2A/ext/payments/v1', description: 'Payments by AP2', required: true },
      ],
    },
    skills: [
      { id: 'order', name: 'Order a pizza', description: 'Takes the order', tags: ['food'], examples: ['A large one'] },
    ],
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain', 'application/json'],
    securitySchemes: { web42_bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    security: [{ web42_bearer: [] }],
    ...change,
  };
}
