/**
 * The duties of every driver, as tests to inherit ({@link io.millrace.testkit.driver.DriverTck}).
 */
@NullMarked
package io.millrace.testkit.driver;

import org.jspecify.annotations.NullMarked;
