package reports

import "github.com/stagger-sim/stagger/sim"

// marks says of each compared figure whether it is the best of its group, or
// cannot be told apart from the best.
type marks map[markKey]string

type markKey struct {
	clients        int
	metric, policy string
}

const (
	best  = "*"
	alike = "="
)

func newMarks(r *sim.Result) marks {
	m := marks{}
	for _, c := range r.Comparisons {
		if c.P == nil {
			continue
		}
		m[markKey{c.Clients, c.Metric, c.Best}] = best
		if !c.ToldApart {
			m[markKey{c.Clients, c.Metric, c.Policy}] = alike
		}
	}
	m.dropWhereAllAlike(r)
	return m
}

// dropWhereAllAlike removes the marks of groups in which no policy differs: a
// star would claim a winner.
func (m marks) dropWhereAllAlike(r *sim.Result) {
	differs := map[markKey]bool{}
	for _, c := range r.Comparisons {
		if c.ToldApart {
			differs[markKey{c.Clients, c.Metric, ""}] = true
		}
	}
	for key := range m {
		if !differs[markKey{key.clients, key.metric, ""}] {
			delete(m, key)
		}
	}
}

func (m marks) of(c sim.Cell, metric string) string {
	return m[markKey{c.Clients, metric, c.Policy}]
}

// note explains the marks that there are.
func (m marks) note() string {
	if len(m) == 0 {
		return ""
	}
	return best + " best of its group; " + alike + " cannot be told apart from the best (paired differences, 95 %, Holm)"
}
