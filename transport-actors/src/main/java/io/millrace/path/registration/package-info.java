/** Memory whose registration the system refuses: when to try again, and what to tell. */
@NullMarked
package io.millrace.path.registration;

import org.jspecify.annotations.NullMarked;
