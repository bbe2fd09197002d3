/** Tests of certificates in files. */
@NullMarked
package io.millrace.samples.certs;

import org.jspecify.annotations.NullMarked;
