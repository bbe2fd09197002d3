/** What the tests of drivers are made of, and a driver that spoils what another one receives. */
@NullMarked
package io.millrace.testkit.internal.driver;

import org.jspecify.annotations.NullMarked;
