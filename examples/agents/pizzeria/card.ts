import type { AgentCard } from '@a2a-js/sdk';
import { createCard } from '../shared/card';
import type { AgentEnvironment } from '../shared/environment';
import { AP2_EXTENSION, MERCHANT_NAME } from './cart';

export function pizzeriaCard(environment: AgentEnvironment): AgentCard {
  return createCard(
    {
      name: MERCHANT_NAME,
      description:
        'Takes your pizza order in plain words: sizes, toppings, several pizzas at once, delivery address. Asks for what is ' +
        'missing, takes changes, and sends a signed cart with exact prices for you to review before anything is paid.',
      version: '1.1.0',
      organization: MERCHANT_NAME,
      inputModes: ['text/plain', 'application/json'],
      outputModes: ['text/markdown', 'application/json'],
      extensions: [
        {
          uri: AP2_EXTENSION,
          description: 'Sends signed carts as AP2 0.1 CartMandate data parts, and takes PaymentMandates for them.',
          required: false,
          params: { roles: ['merchant'] },
        },
      ],
      skills: [
        {
          id: 'order',
          name: 'Order a pizza',
          description:
            'From a sentence to a cart: reads quantities, sizes, toppings and the address, and asks for what is missing.',
          tags: ['food', 'pizza', 'ordering', 'delivery', 'payments'],
          examples: [
            'Two large margheritas and a small diavola with extra olives, to 12 Via Roma, Florence',
            'A medium quattro formaggi without gorgonzola, please',
            "I'd like three pizzas: one capricciosa and two ortolanas, all large",
          ],
        },
        {
          id: 'menu',
          name: 'Ask about the menu',
          description:
            'Answers what is on a pizza, what it costs, which sizes and toppings there are, and what is vegetarian.',
          tags: ['food', 'pizza', 'menu', 'vegetarian'],
          examples: ['What is on the capricciosa?', 'Which pizzas are vegetarian?', 'What does extra mozzarella cost?'],
        },
      ],
    },
    environment,
  );
}
