/** Certificates for development: an authority, nodes, and what is revoked, in files of a folder. */
@NullMarked
package io.millrace.samples.certs;

import org.jspecify.annotations.NullMarked;
