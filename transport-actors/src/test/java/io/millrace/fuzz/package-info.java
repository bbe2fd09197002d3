/** What strangers and peers can send, found by coverage: docs/hacking.md says how to run it. */
@NullMarked
package io.millrace.fuzz;

import org.jspecify.annotations.NullMarked;
