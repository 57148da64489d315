// Prints the description of the checked-out HTTP API, from which the clients are made.
import { apiOfToday } from './api-of-today.ts';

process.stdout.write(JSON.stringify(apiOfToday()));
