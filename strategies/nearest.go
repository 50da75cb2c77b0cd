package strategies

// Nearest returns the known name that a misspelt one most likely means, or ""
// when none is close: one edit, and one more for every three letters.
func Nearest(name string, known []string) string {
	best, distance := "", len(name)/3+1
	for _, candidate := range known {
		if d := editDistance(name, candidate); d <= distance && (best == "" || d < distance) {
			best, distance = candidate, d
		}
	}
	return best
}

// editDistance counts the insertions, deletions and substitutions of bytes that
// turn a into b (Levenshtein).
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}
