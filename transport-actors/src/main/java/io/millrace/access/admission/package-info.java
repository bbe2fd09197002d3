/** Authorisation in the engine: what a node's policy decided, kept for each path. */
@NullMarked
package io.millrace.access.admission;

import org.jspecify.annotations.NullMarked;
