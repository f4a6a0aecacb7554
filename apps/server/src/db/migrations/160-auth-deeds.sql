-- What a site of several gateways remembers alike for a day: wrong passwords, codes, begun second factors (auth/alike.ts).
CREATE TABLE auth_deeds (
  n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Made by who did it: heard and read, it is done once. What may happen once only is named by what it is.
  id text NOT NULL UNIQUE,
  at bigint NOT NULL,
  -- The memory, what is done to it, and its arguments as JSON; secrets among them are sealed.
  memory text NOT NULL,
  deed text NOT NULL,
  args text NOT NULL,
  -- What of a memory it is about, where all that stands of that can be taken away.
  about text
);
CREATE INDEX auth_deeds_at ON auth_deeds (at);
CREATE INDEX auth_deeds_about ON auth_deeds (memory, about) WHERE about IS NOT NULL;
