import { testSeeds } from './sim/seeds.ts';

testSeeds(101, 200);
