/** Certificates for development: an authority, nodes, and revocations, in files of a folder. */
@NullMarked
package io.millrace.samples.certs;

import org.jspecify.annotations.NullMarked;
