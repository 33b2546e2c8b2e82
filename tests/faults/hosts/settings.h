/* What belongs to a program and not to the libraries it calls, as text: to be compared. C, so that
 * a host in C can. */
#ifndef TESTS_FAULTS_HOSTS_SETTINGS_H_
#define TESTS_FAULTS_HOSTS_SETTINGS_H_

#ifdef __cplusplus
extern "C" {
#endif

/* One setting a line, "name: value". Valid until the next call. */
const char* Settings(void);

/* Compares with what Settings() said before; tells what differs. 0: nothing. */
int DiffersFrom(const char* before, const char* when);

#ifdef __cplusplus
}
#endif

#endif /* TESTS_FAULTS_HOSTS_SETTINGS_H_ */
