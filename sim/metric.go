package sim

import (
	"math"
	"slices"
	"time"

	"github.com/stagger-sim/stagger/strategies"
)

// The names of the metrics that reports and comparisons mention by themselves.
const (
	MetricCalls         = "calls"
	MetricCompletion    = "completion_seconds"
	MetricAmplification = "amplification"
	MetricSuccess       = "success_ratio"
	MetricPeak          = "peak_calls"
	MetricRetryPeak     = "peak_retries"
	MetricLatencyP50    = "latency_p50_seconds"
	MetricLatencyP99    = "latency_p99_seconds"
	MetricHerdScore     = "herd_score"
	MetricUtilisation   = "utilisation"
	MetricRejected      = "rejected_ratio"
	MetricGoodput       = "goodput_per_second"
	MetricGivenUp       = "given_up"
	MetricDuplicates    = "duplicates"
	MetricWasted        = "wasted_work_seconds"
	MetricCollapsed     = "collapsed"
	MetricRecovered     = "recovered"
	MetricRecovery      = "recovery_seconds"
)

// metric is one figure of a replication.
type metric struct {
	name string
	// needs says to which scenarios it applies.
	needs func(Scenario) bool
	// value computes it over the measured time of so many ns; NaN: it cannot be
	// computed.
	value func(t *tally, measured float64) float64
	// absent says why there is no value.
	absent string
	kind   metricKind
}

// metricKind says how a metric is summed up over the replications.
type metricKind uint8

const (
	plain       metricKind = iota
	conditional            // over those that have a value
	yesNo                  // 1 or 0: the mean is a share, with Wilson's interval
)

// metrics lists all figures in the order in which they are explained.
func metrics() []metric {
	always := func(Scenario) bool { return true }
	isHerd := func(s Scenario) bool { return s.Load.Herd != nil }
	isStream := func(s Scenario) bool { return s.Load.endless() }
	hasCapacity := func(s Scenario) bool { return s.Server.Capacity != nil }
	wastes := func(s Scenario) bool {
		return hasCapacity(s) && (!s.Client.patient() || slices.ContainsFunc(s.Policies, hasTimeout))
	}
	faulty := func(s Scenario) bool { return s.Load.endless() && len(s.Faults) > 0 }
	creates := func(s Scenario) bool { return s.Client.Creates }
	const nothing = "there was nothing to measure"
	const unfinished = "operations had not ended at the stop"
	const endless = "no operation ended, or some gave up or were still under way, and nobody knows how long they would take"
	const unlucky = "no operation ended, or so many gave up or were still under way that this share of them did not succeed"
	return []metric{
		{MetricCalls, always, func(t *tally, _ float64) float64 { return float64(t.measured().calls) }, nothing, plain},
		{MetricCompletion, isHerd, func(t *tally, _ float64) float64 { return t.completion() }, unfinished, plain},
		{MetricAmplification, always, func(t *tally, _ float64) float64 {
			return quotient(t.measured().calls, t.measured().operations)
		}, nothing, plain},
		{MetricSuccess, isHerd, func(t *tally, _ float64) float64 { return quotient(t.succeeded, t.operations) }, nothing, plain},
		{MetricSuccess, isStream, func(t *tally, _ float64) float64 {
			return quotient(len(t.latencies), t.judged())
		}, nothing, plain},
		{MetricPeak, always, func(t *tally, _ float64) float64 {
			return float64(max(t.windows.peak, t.windows.calls))
		}, nothing, plain},
		{MetricRetryPeak, always, func(t *tally, _ float64) float64 {
			return float64(max(t.windows.peakRetries, t.windows.retries))
		}, nothing, plain},
		{MetricHerdScore, always, func(t *tally, _ float64) float64 { return t.windows.herdScore() }, nothing, plain},
		{"latency_mean_seconds", always, func(t *tally, _ float64) float64 { return t.latencyMean() }, endless, plain},
		{MetricLatencyP50, always, func(t *tally, _ float64) float64 { return t.latency(0.5) }, unlucky, plain},
		{MetricLatencyP99, always, func(t *tally, _ float64) float64 { return t.latency(0.99) }, unlucky, plain},
		{MetricRejected, always, func(t *tally, _ float64) float64 {
			return quotient(t.measured().refusals, t.measured().calls)
		}, nothing, plain},
		{MetricUtilisation, hasCapacity, nil, nothing, plain}, // its value needs the workers: see utilisation
		{"queue_mean", hasCapacity, func(t *tally, ns float64) float64 { return t.queued.area / ns }, nothing, plain},
		{"queue_wait_seconds", hasCapacity, func(t *tally, _ float64) float64 {
			return t.queueWait / float64(t.measured().admissions) / 1e9
		}, nothing, plain},
		{"waiting_mean", isStream, func(t *tally, ns float64) float64 { return t.waiting / ns }, nothing, plain},
		{MetricGoodput, isStream, func(t *tally, ns float64) float64 {
			return float64(t.measured().succeeded) * 1e9 / ns
		}, nothing, plain},
		{MetricGivenUp, always, func(t *tally, _ float64) float64 { return float64(t.measured().gaveUp) }, nothing, plain},
		{MetricDuplicates, creates, func(t *tally, _ float64) float64 { return float64(t.measured().duplicates) }, nothing, plain},
		{MetricWasted, wastes, func(t *tally, _ float64) float64 { return t.wasted / 1e9 }, nothing, plain},
		{MetricCollapsed, recordsLife, func(t *tally, _ float64) float64 {
			return oneIf(t.lifeline.collapsed(t.operations - t.succeeded - t.gaveUp))
		}, nothing, yesNo},
		{MetricRecovered, faulty, func(t *tally, _ float64) float64 {
			if !t.lifeline.tells(t.lastFault) {
				return math.NaN()
			}
			_, ok := t.lifeline.recovery(t.lastFault)
			return oneIf(ok)
		}, "the last fault does not end ten seconds before the stop", yesNo},
		{MetricRecovery, faulty, func(t *tally, _ float64) float64 {
			if d, ok := t.lifeline.recovery(t.lastFault); ok {
				return d.Seconds()
			}
			return math.NaN()
		}, "it had not recovered at the stop", conditional},
	}
}

func hasTimeout(p strategies.Policy) bool { return p.Timeout > 0 }

// recordsLife reports whether a scenario has something to collapse under, and
// operations to see it by.
func recordsLife(s Scenario) bool {
	return s.Load.endless() && (len(s.Faults) > 0 || s.Load.Stream != nil && len(s.Load.Stream.Profile) > 0)
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// applicable lists the metrics of a scenario.
func applicable(s Scenario) []metric {
	var list []metric
	for _, m := range metrics() {
		if !m.needs(s) {
			continue
		}
		if m.name == MetricUtilisation {
			m.value = utilisation(s.Server.Capacity.Workers)
		}
		list = append(list, m)
	}
	return list
}

// utilisation is the share of the workers' time that went into work.
func utilisation(workers int) func(*tally, float64) float64 {
	return func(t *tally, ns float64) float64 { return t.busy.area / float64(float64(workers)*ns) }
}

// observe closes the tally at the end of a replication and computes every
// metric; NaN stands for what cannot be computed.
func (t *tally) observe(list []metric, end time.Duration) []float64 {
	t.busy.advance(end)
	t.queued.advance(end)
	values := make([]float64, len(list))
	for i, m := range list {
		values[i] = m.value(t, float64(end-t.from))
		if math.IsInf(values[i], 0) {
			values[i] = math.NaN()
		}
	}
	return values
}

// measured returns the counts of the measured time.
func (t *tally) measured() counts {
	c, b := t.counts, t.base
	return counts{
		operations:   c.operations - b.operations,
		succeeded:    c.succeeded - b.succeeded,
		gaveUp:       c.gaveUp - b.gaveUp,
		retries:      c.retries - b.retries,
		calls:        c.calls - b.calls,
		refusals:     c.refusals - b.refusals,
		admissions:   c.admissions - b.admissions,
		services:     c.services - b.services,
		lostRequests: c.lostRequests - b.lostRequests,
		lostAnswers:  c.lostAnswers - b.lostAnswers,
		swallows:     c.swallows - b.swallows,
		drops:        c.drops - b.drops,
		ignores:      c.ignores - b.ignores,
		duplicates:   c.duplicates - b.duplicates,
	}
}

// completion is when the last operation ended, in seconds.
func (t *tally) completion() float64 {
	if t.succeeded+t.gaveUp < t.operations {
		return math.NaN()
	}
	return t.lastEnd.Seconds()
}

func (t *tally) latency(q float64) float64 {
	d, ok := t.quantile(q)
	if !ok {
		return math.NaN()
	}
	return d.Seconds()
}

// latencyMean is the mean over the operations that succeeded, if these are nearly
// all; it would flatter if some gave up or more than 1 % are overdue.
func (t *tally) latencyMean() float64 {
	if t.censored > 0 || 100*t.overdue > t.judged() {
		return math.NaN()
	}
	sum := 0.0
	for _, d := range t.latencies {
		sum += float64(d)
	}
	return sum / float64(len(t.latencies)) / 1e9
}

func quotient(a, b int) float64 { return float64(a) / float64(b) }
