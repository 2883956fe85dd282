/**
 * Words that lists of leaked passwords begin with. `password-rules` looks a password up as it is,
 * with digits and signs in place of letters undone, and without what is put before and after it, so
 * that one word here stands for many passwords.
 */
const WORDS = `
password passwort passwd motdepasse contrasena contraseña parola senha lozinka haslo wachtwoord
passw0rd p4ssword pass word letmein welcome willkommen bienvenue bonjour hello hallo goodbye
iloveyou loveyou iloveu tequiero teamo jetaime lovely lover loveme forever princess prinzessin
sunshine sonnenschein sommer summer winter spring autumn herbst fruehling sommer monday friday
dragon monkey football fussball soccer baseball basketball hockey tennis golfer superman batman
spiderman ironman starwars startrek pokemon naruto minecraft fortnite playstation nintendo
shadow master michael jessica jennifer ashley nicole daniel andrew joshua matthew anthony charlie
thomas robert jordan hunter buster harley ranger tigger killer pepper ginger cookie cheese banana
chocolate butterfly flower rainbow diamond purple orange yellow silver golden freedom whatever
trustno1 trustnoone access admin administrator administrador root toor user guest test tester
testing testtest demo default changeme change secret secrets geheim private login signin logon
computer internet google facebook linkedin twitter instagram youtube amazon microsoft windows
apple android samsung nokia mercedes ferrari porsche corvette mustang chelsea liverpool arsenal
barcelona realmadrid juventus manchester yankees cowboys steelers lakers redsox eagles
qwerty qwertz azerty qwertyuiop qwerty123 qwertyui asdfgh asdfghjkl asdfasdf zxcvbn zxcvbnm
qazwsx qazwsxedc qweasd qweasdzxc onetwothree abcdef abcdefg abcabc aaaaaa abcd1234 abc12345
a1b2c3d4 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 zaq12wsx q1w2e3r4 q1w2e3r4t5 qwer1234 asdf1234
zxcv1234 pass1234 admin1234 root1234 test1234 user1234 11223344 12341234 12344321 12121212
123123123 13131313 1234qwer 1234abcd 147258369 159357 159753 123654789 987654321 987654123
789456123 741852963 0987654321 1029384756 11111111 00000000 88888888 66666666 19841984 20002000
31415926 27182818 correcthorsebatterystaple correct horse battery staple
monitor monitoring grafana prometheus kubernetes docker jenkins ansible terraform vagrant
operator operations production staging development database postgres mysql oracle mongodb redis
circuit breaker circuitbreaker console dashboard server network security manager system support
service backup company business office school student teacher family mother father brother sister
baby angel jesus christ heaven blessed grace church peace victory success champion winner
america canada london paris berlin munich vienna moscow tokyo beijing sydney brazil mexico texas
california newyork chicago boston dallas houston phoenix denver austin madrid italia espana
deutschland france england ireland scotland australia nederland polska rossiya turkiye
maverick matrix phoenix gandalf merlin wizard warrior viking samurai ninja pirate phantom ghost
thunder lightning storm hurricane tornado volcano mountain ocean river island garden forest
elephant dolphin panther tiger lion eagle falcon hawk wolf fox bear rabbit horse kitten puppy
snoopy garfield mickey minnie donald bugsbunny simpsons scooby winnie peanut cupcake sweetie
honey sugar candy coffee guitar music rockstar metallica nirvana beatles eminem slipknot
january february march april may june july august september october november december
`;

export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
