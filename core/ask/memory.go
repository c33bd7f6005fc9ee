package ask

// memory caches results that are slow to compute and depend on public parameters only, keyed by
// those parameters.
type memory map[string]any

const maxRemembered = 100

// Remember returns what make makes, and makes it only once.
func Remember[T any](q *Query, key string, make func() (T, error)) (T, error) {
	if known, ok := q.memory[key]; ok {
		return known.(T), nil
	}
	made, err := make()
	if err == nil && q.memory != nil {
		if len(q.memory) >= maxRemembered {
			clear(q.memory)
		}
		q.memory[key] = made
	}
	return made, err
}
