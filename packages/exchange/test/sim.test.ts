import { testSeeds } from './sim/seeds.ts';

testSeeds(1, 100);
