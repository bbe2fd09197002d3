/**
 * Granting memory: the rights to write into this worker's regions, the landed bytes, and the end of
 * a grant. Rules W-1 to W-17 of the receiver. On the worker's thread.
 */
@NullMarked
package io.millrace.path.region;

import org.jspecify.annotations.NullMarked;
