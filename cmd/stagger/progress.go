package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run is: a bar on a terminal, a line now and then
// elsewhere, and nothing for a run that is over soon.
type progress struct {
	mu      sync.Mutex
	w       io.Writer
	what    string
	bar     *progressbar.ProgressBar // nil: no terminal
	started time.Time
	told    time.Time
	done    int
}

// quiet is how long nothing is said when the output is not a terminal.
const quiet = 5 * time.Second

func newProgress(w io.Writer, what string) *progress {
	p := &progress{w: w, what: what, started: time.Now(), told: time.Now()}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.bar = progressbar.NewOptions(1,
			progressbar.OptionSetWriter(w),
			progressbar.OptionSetDescription(what),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	return p
}

// update is called after each replication, from several goroutines.
func (p *progress) update(done, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done = max(p.done, done)
	if p.bar != nil {
		p.bar.ChangeMax(all)
		_ = p.bar.Set(p.done) // a bar that cannot be drawn must not stop the run
		return
	}
	if now := time.Now(); now.Sub(p.told) >= quiet {
		p.told = now
		left := time.Duration(float64(now.Sub(p.started)) * float64(all-p.done) / float64(p.done))
		_, _ = fmt.Fprintf(p.w, "%s: %d of %d replications, about %s left\n",
			p.what, p.done, all, left.Round(time.Second))
	}
}

func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
